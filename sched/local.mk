liborrery_core_a_SOURCES += \
	%D%/darts/darts.c \
	%D%/darts/darts_state.c %D%/darts/darts_state.h \
	%D%/policy/drand48.h \
	%D%/policy/dm.c \
	%D%/policy/dm_family.c %D%/policy/dm_family.h \
	%D%/policy/dmda.c \
	%D%/policy/dmdap.c \
	%D%/policy/dmdar.c \
	%D%/policy/dmdas.c \
	%D%/policy/dmdasd.c \
	%D%/policy/eager.c \
	%D%/policy/fitness.c %D%/policy/fitness.h \
	%D%/policy/fixed.c \
	%D%/queue/groups.c %D%/queue/groups.h \
	%D%/evict.h \
	%D%/evict/belady.c \
	%D%/evict/evict_load.c \
	%D%/evict/evict_registry.c %D%/evict/evict_registry.h \
	%D%/evict_host.c %D%/evict_host.h \
	%D%/evict/lru.c \
	%D%/guard/evict_guard.c %D%/guard/evict_guard.h \
	%D%/guard/guard.c %D%/guard/guard.h \
	%D%/guard/policy_guard.c %D%/guard/policy_guard.h \
	%D%/guard/guard_private.h \
	%D%/guard/guard_signal.c \
	%D%/guard/guard_watch.c \
	%D%/policy/bucket_plan.c %D%/policy/bucket_plan.h \
	%D%/policy/heteroprio.c \
	%D%/policy/heteroprio_stats.c %D%/policy/heteroprio_stats.h \
	%D%/host.c %D%/host.h \
	%D%/policy/queueing.h \
	%D%/queue/priority_sums.c %D%/queue/priority_sums.h \
	%D%/policy/lws.c \
	%D%/policy/modular_family.c %D%/policy/modular_family.h \
	%D%/policy/modular_heft.c \
	%D%/policy/modular_heft2.c \
	%D%/plugin.c %D%/plugin.h \
	%D%/policy/prio.c \
	%D%/policy/random.c \
	%D%/queue/ready.c %D%/queue/ready.h \
	%D%/registry.c %D%/registry.h \
	%D%/sched.h \
	%D%/queue/priority_fifo.c %D%/queue/priority_fifo.h \
	%D%/policy/work_stealing.c %D%/policy/work_stealing.h \
	%D%/policy/ws.c
