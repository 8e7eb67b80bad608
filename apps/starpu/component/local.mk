# Scheduling components, and StarPU's policies that are built from them.
liborrery_starpu_a_SOURCES += \
	%D%/component.c %D%/component.h \
	%D%/estimate.c \
	%D%/flow.c \
	%D%/queue.c \
	%D%/tree.c \
	%D%/worker.c
