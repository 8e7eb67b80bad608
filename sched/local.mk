liborrery_core_la_SOURCES += \
	%D%/dm.c \
	%D%/dm_family.c %D%/dm_family.h \
	%D%/dmda.c \
	%D%/dmdap.c \
	%D%/dmdar.c \
	%D%/dmdas.c \
	%D%/dmdasd.c \
	%D%/eager.c \
	%D%/groups.c %D%/groups.h \
	%D%/guard.c %D%/guard.h \
	%D%/guard_host.c \
	%D%/guard_private.h \
	%D%/guard_signal.c \
	%D%/heteroprio.c \
	%D%/heteroprio_stats.c %D%/heteroprio_stats.h \
	%D%/host.h \
	%D%/ladder.c %D%/ladder.h \
	%D%/lws.c \
	%D%/plugin.c %D%/plugin.h \
	%D%/prio.c \
	%D%/random.c \
	%D%/ready.c %D%/ready.h \
	%D%/registry.c \
	%D%/sched.c %D%/sched.h \
	%D%/urgent.c %D%/urgent.h \
	%D%/work_stealing.c %D%/work_stealing.h \
	%D%/ws.c
