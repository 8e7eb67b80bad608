# StarPU's interface: a library of its own, on orrery.h alone.
noinst_LIBRARIES += liborrery_starpu.a
liborrery_starpu_a_CPPFLAGS = -I$(top_srcdir)/%D%/include $(AM_CPPFLAGS)
liborrery_starpu_a_SOURCES = \
	%D%/calls.c %D%/calls.h \
	%D%/data/handle.h \
	%D%/model/model.h \
	%D%/session/error.c %D%/session/error.h \
	%D%/session/session.h \
	%D%/task/task.h
