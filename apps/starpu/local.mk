# StarPU's interface: a library of its own, on orrery.h alone.
noinst_LIBRARIES += liborrery_starpu.a
liborrery_starpu_a_SOURCES = \
	%D%/base/calls.c %D%/base/calls.h \
	%D%/base/error.c %D%/base/error.h \
	%D%/base/session.h \
	%D%/codelet/codelet.h \
	%D%/data/handle.h \
	%D%/model/model.h
