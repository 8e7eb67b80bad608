# Devices without their libraries, and helper functions.
liborrery_starpu_a_SOURCES += \
	%D%/bitmap.c \
	%D%/cuda.c \
	%D%/environment.c \
	%D%/host.c \
	%D%/objects.c \
	%D%/threads.c \
	%D%/trace.c \
	%D%/tree.c \
	%D%/worker_list.c
