# Containers of tasks, for policies.
liborrery_starpu_a_SOURCES += \
	%D%/fifo.c \
	%D%/list.c \
	%D%/prio_deque.c \
	%D%/prio_list.c \
	%D%/ready.c %D%/ready.h
