liborrery_core_la_SOURCES += \
	%D%/dm.c \
	%D%/dm_family.c %D%/dm_family.h \
	%D%/dmda.c \
	%D%/dmdar.c \
	%D%/dmdas.c \
	%D%/eager.c \
	%D%/host.h \
	%D%/prio.c \
	%D%/ready.c %D%/ready.h \
	%D%/registry.c \
	%D%/sched.c %D%/sched.h
