# Scheduling components, and StarPU's policies that are built from them.
liborrery_starpu_a_SOURCES += \
	%D%/best_implementation.c \
	%D%/calibration.c \
	%D%/component.c %D%/component.h \
	%D%/composed.c \
	%D%/eager.c \
	%D%/eager_prio.c \
	%D%/estimate.c \
	%D%/flow.c \
	%D%/gemm.c \
	%D%/heft.c \
	%D%/heteroprio.c \
	%D%/machine.c \
	%D%/mct.c %D%/mct.h \
	%D%/modular.c %D%/modular.h \
	%D%/queue.c \
	%D%/random.c \
	%D%/select.c \
	%D%/simple.c \
	%D%/tree.c \
	%D%/work_stealing.c \
	%D%/worker.c
