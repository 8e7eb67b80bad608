liborrery_starpu_a_SOURCES += \
	%D%/bundle.c \
	%D%/dep.c \
	%D%/job.c %D%/job.h \
	%D%/list.c \
	%D%/pack.c \
	%D%/tag.c %D%/tag.h \
	%D%/tasks.h \
	%D%/wait.c
