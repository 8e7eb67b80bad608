# All of the program but its main(), so that tests can link with it.
noinst_LTLIBRARIES += liborrery_apps.la
liborrery_apps_la_SOURCES = \
	%D%/ablation.c %D%/ablation.h \
	%D%/ablation_show.c \
	%D%/app.c %D%/app.h \
	%D%/app_list.c \
	%D%/armour.c %D%/armour.h \
	%D%/child.c %D%/child.h \
	%D%/choice.c %D%/choice.h \
	%D%/cholesky.c \
	%D%/cmd.c %D%/cmd.h \
	%D%/cmd_ablate.c \
	%D%/cmd_app.c \
	%D%/cmd_compare.c \
	%D%/cmd_explore.c \
	%D%/cmd_histogram.c \
	%D%/cmd_histogram_build.c \
	%D%/cmd_histogram_show.c \
	%D%/cmd_platform.c \
	%D%/cmd_platform_check.c \
	%D%/cmd_platform_detect.c \
	%D%/cmd_platform_import.c \
	%D%/cmd_platform_list.c \
	%D%/cmd_platform_save.c \
	%D%/cmd_platform_show.c \
	%D%/cmd_replay.c \
	%D%/cmd_run.c \
	%D%/cmd_sched.c \
	%D%/cmd_sched_new.c \
	%D%/cmd_shrink.c \
	%D%/comparison.c %D%/comparison.h \
	%D%/comparison_facts.c \
	%D%/comparison_plot.c \
	%D%/comparison_several.c \
	%D%/comparison_text.c \
	%D%/critical.c %D%/critical.h \
	%D%/csv.c %D%/csv.h \
	%D%/debugger.c %D%/debugger.h \
	%D%/degradations.c %D%/degradations.h \
	%D%/diagnosis.c %D%/diagnosis.h %D%/diagnosis_graph.c \
	%D%/diagnosis_text.c \
	%D%/drawing.c %D%/drawing.h \
	%D%/drawing_text.c \
	%D%/exploration.c %D%/exploration.h \
	%D%/exploration_batch.c \
	%D%/exploration_facts.c \
	%D%/exploration_private.h \
	%D%/exploration_sum.c \
	%D%/exploration_text.c \
	%D%/facts.c %D%/facts.h \
	%D%/facts_text.c \
	%D%/graphviz.c %D%/graphviz.h \
	%D%/histogram.c %D%/histogram.h \
	%D%/histogram_plot.c \
	%D%/json.c %D%/json.h \
	%D%/lu.c \
	%D%/machine.c %D%/machine.h \
	%D%/members.h \
	%D%/names.c %D%/names.h \
	%D%/option.c %D%/option.h \
	%D%/options.c \
	%D%/output.c %D%/output.h \
	%D%/parallel.c %D%/parallel.h \
	%D%/plot.c %D%/plot.h \
	%D%/policies.c %D%/policies.h \
	%D%/range.c %D%/range.h \
	%D%/replay.c %D%/replay.h \
	%D%/samples.c %D%/samples.h \
	%D%/settings.c %D%/settings.h \
	%D%/simulate.c %D%/simulate.h \
	%D%/shrink.c %D%/shrink.h \
	%D%/single.c %D%/single.h \
	%D%/sizes.c %D%/sizes.h \
	%D%/skeleton.c %D%/skeleton.h \
	%D%/table.c %D%/table.h \
	%D%/tiles.c %D%/tiles.h \
	%D%/token.c %D%/token.h \
	%D%/token_load.c \
	%D%/token_settings.c \
	%D%/trial.c %D%/trial.h \
	%D%/twice.c %D%/twice.h \
	%D%/values.c %D%/values.h

# The files of `orrery sched new`, as strings.
skeletons = \
	%D%/skeleton/simple.c \
	%D%/skeleton/concurrent.c \
	%D%/skeleton/makefile.txt \
	%D%/skeleton/test.sh
EXTRA_DIST += $(skeletons)
CLEANFILES += %D%/skeleton_texts.c
nodist_liborrery_apps_la_SOURCES = %D%/skeleton_texts.c
%D%/skeleton_texts.c: $(skeletons) %D%/local.mk
	$(AM_V_GEN)$(MKDIR_P) %D% && { \
	  echo '#include "apps/skeleton.h"'; \
	  for name in simple.c concurrent.c makefile.txt test.sh; do \
	    echo "const char orr_skeleton_$${name%.*}[] ="; \
	    sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/' \
	      "$(srcdir)/%D%/skeleton/$$name" || exit 1; \
	    echo ';'; \
	  done; \
	} >$@.tmp && mv $@.tmp $@

bin_PROGRAMS += orrery
orrery_SOURCES = %D%/orrery.c
# Policies in files of their own call what sched/sched.h declares.
orrery_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
orrery_LDADD = liborrery_apps.la liborrery_core.la $(JSON_LIBS) $(DEPS_LIBS)
