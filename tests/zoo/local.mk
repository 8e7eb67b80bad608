# Broken runtimes: the program, but for one file of the runtime, or of the
# applications, which comes first and is ours with a mistake in it.
zoo_programs = \
	%D%/orrery-commute-held \
	%D%/orrery-ping-pong \
	%D%/orrery-pinned-prefetch \
	%D%/orrery-re-enqueue \
	%D%/orrery-sticky-flag \
	%D%/orrery-tags
check_PROGRAMS += $(zoo_programs)
noinst_HEADERS += %D%/fifo.h

zoo_main = apps/cli/orrery.c

%C%_orrery_commute_held_SOURCES = \
	$(zoo_main) %D%/commute-held.c %D%/apps.c
%C%_orrery_commute_held_LDADD = $(program_libs)
%C%_orrery_ping_pong_SOURCES = $(zoo_main) %D%/ping-pong.c
%C%_orrery_ping_pong_LDADD = $(program_libs)
%C%_orrery_pinned_prefetch_SOURCES = $(zoo_main) %D%/pinned-prefetch.c
%C%_orrery_pinned_prefetch_LDADD = $(program_libs)
%C%_orrery_re_enqueue_SOURCES = $(zoo_main) %D%/re-enqueue.c
%C%_orrery_re_enqueue_LDADD = $(program_libs)
%C%_orrery_sticky_flag_SOURCES = $(zoo_main) %D%/sticky-flag.c
%C%_orrery_sticky_flag_LDADD = $(program_libs)
%C%_orrery_tags_SOURCES = $(zoo_main) %D%/apps.c
%C%_orrery_tags_LDADD = $(program_libs)

EXTRA_DIST += \
	%D%/aba-stack.c \
	%D%/batch-count.c \
	%D%/fast-path.c \
	%D%/global-turn.c \
	%D%/inverted.c \
	%D%/negative-count.c \
	%D%/one-waker.c \
	%D%/peek-then-take.c \
	%D%/sleeper-count.c \
	%D%/stale-epoch.c \
	%D%/stale-size.c \
	%D%/starpu \
	%D%/unlocked-count.c \
	%D%/wake-first.c \
	%D%/lock-order.c \
	%D%/lost-wakeup.c \
	%D%/no-such-class.c \
	%D%/nobody-polls.c \
	%D%/steal-drops.c \
	%D%/wake-one.c \
	%D%/warm-up.c \
	%D%/zoo.xml
