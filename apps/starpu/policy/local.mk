# Policies in StarPU's interface.
liborrery_starpu_a_SOURCES += \
	%D%/adapter.c %D%/adapter.h \
	%D%/guest.c %D%/guest.h \
	%D%/library.c %D%/library.h \
	%D%/tasks.c %D%/tasks.h
