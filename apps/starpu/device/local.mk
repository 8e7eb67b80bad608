# Devices without their libraries, and helper functions.
liborrery_starpu_a_SOURCES += \
	%D%/bitmap.c \
	%D%/context.c %D%/context.h \
	%D%/counters.c \
	%D%/cuda.c \
	%D%/environment.c \
	%D%/host.c \
	%D%/locks.c \
	%D%/objects.c \
	%D%/policy_locks.c %D%/policy_locks.h \
	%D%/raw_calls.c %D%/raw_calls.h \
	%D%/threads.c \
	%D%/trace.c \
	%D%/tree.c \
	%D%/waiting.c %D%/waiting.h \
	%D%/worker_list.c
