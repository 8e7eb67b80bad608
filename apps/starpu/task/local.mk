liborrery_starpu_a_SOURCES += \
	%D%/bundle.c \
	%D%/call.c %D%/call.h \
	%D%/copy.c \
	%D%/data.c %D%/data.h \
	%D%/dep.c \
	%D%/everywhere.c \
	%D%/insert.c \
	%D%/iteration.c \
	%D%/job.c %D%/job.h \
	%D%/pack.c %D%/pack.h \
	%D%/prefetch.c \
	%D%/scheduling.c \
	%D%/submit.c %D%/submit.h \
	%D%/submitted.c %D%/submitted.h \
	%D%/tag.c %D%/tag.h \
	%D%/tasks.h \
	%D%/wait.c
