# All of the program but its main(), so that tests can link with it.
noinst_LIBRARIES += liborrery_apps.a
liborrery_apps_a_SOURCES = \
	%D%/campaign/campaign.c %D%/campaign/campaign.h \
	%D%/campaign/key.c %D%/campaign/key.h \
	%D%/campaign/run_set.c %D%/campaign/run_set.h \
	%D%/campaign/shard.c %D%/campaign/shard.h \
	%D%/campaign/where_filter.c %D%/campaign/where_filter.h \
	%D%/chart/chart.c %D%/chart/chart.h \
	%D%/chart/chart_groups.c %D%/chart/chart_groups.h \
	%D%/chart/chart_read.c \
	%D%/chart/comparison_plot.c %D%/chart/comparison_plot.h \
	%D%/chart/gantt_chart.c %D%/chart/gantt_chart.h \
	%D%/chart/histogram_plot.c %D%/chart/histogram_plot.h \
	%D%/chart/keys.c %D%/chart/keys.h \
	%D%/chart/labels.c %D%/chart/labels.h \
	%D%/chart/platform_drawing.c %D%/chart/platform_drawing.h \
	%D%/chart/rows.c %D%/chart/rows.h \
	%D%/chart/scale_plot.c %D%/chart/scale_plot.h \
	%D%/chart/step_chart.c %D%/chart/step_chart.h \
	%D%/cli/campaign/cmd_merge.c \
	%D%/cli/campaign/cmd_plot.c \
	%D%/cli/campaign/cmd_results.c \
	%D%/cli/campaign/cmd_sweep.c \
	%D%/cli/campaign/expand.c %D%/cli/campaign/expand.h \
	%D%/cli/cmd.c %D%/cli/cmd.h \
	%D%/cli/cmd_ablate.c \
	%D%/cli/cmd_app.c \
	%D%/cli/cmd_compare.c \
	%D%/cli/cmd_evict.c \
	%D%/cli/cmd_explain.c \
	%D%/cli/cmd_explore.c \
	%D%/cli/cmd_graph_check.c \
	%D%/cli/cmd_graph_convert.c \
	%D%/cli/cmd_graph_generate.c \
	%D%/cli/cmd_graph_save.c \
	%D%/cli/cmd_graph_show.c \
	%D%/cli/cmd_histogram_build.c \
	%D%/cli/cmd_histogram_show.c \
	%D%/cli/cmd_predict.c \
	%D%/cli/cmd_replay.c \
	%D%/cli/cmd_run.c \
	%D%/cli/cmd_sched.c \
	%D%/cli/cmd_shrink.c \
	%D%/cli/cmd_starpu_check.c %D%/cli/starpu_functions.h \
	%D%/cli/commands.c \
	%D%/cli/explain_scale.c %D%/cli/explain_scale.h \
	%D%/cli/fill.c %D%/cli/fill.h \
	%D%/cli/platform/cmd_platform_add_bandwidth.c \
	%D%/cli/platform/cmd_platform_add_kernels.c \
	%D%/cli/platform/cmd_platform_check.c \
	%D%/cli/platform/cmd_platform_detect.c \
	%D%/cli/platform/cmd_platform_import.c \
	%D%/cli/platform/cmd_platform_list.c \
	%D%/cli/platform/cmd_platform_new.c \
	%D%/cli/platform/cmd_platform_save.c \
	%D%/cli/platform/cmd_platform_show.c \
	%D%/cli/single_run.c %D%/cli/single_run.h \
	%D%/cli/skeleton.c %D%/cli/skeleton.h \
	%D%/experiment/ablation.c %D%/experiment/ablation.h \
	%D%/experiment/comparison.c %D%/experiment/comparison.h \
	%D%/experiment/comparison_csv.c \
	%D%/experiment/comparison_energy.c %D%/experiment/comparison_energy.h \
	%D%/experiment/comparison_facts.c \
	%D%/experiment/comparison_text.c \
	%D%/experiment/halving.c %D%/experiment/halving.h \
	%D%/experiment/optimum.c %D%/experiment/optimum.h \
	%D%/experiment/overlay.c %D%/experiment/overlay.h \
	%D%/experiment/scale.c %D%/experiment/scale.h \
	%D%/explain/breakdown.c %D%/explain/breakdown.h \
	%D%/explain/efficiency.c %D%/explain/efficiency.h \
	%D%/explain/explanation.c %D%/explain/explanation.h \
	%D%/explain/explanation_report.c \
	%D%/explain/idle.c %D%/explain/idle.h \
	%D%/explain/kernel_placement.c %D%/explain/kernel_placement.h \
	%D%/explain/observation.c %D%/explain/observation.h \
	%D%/explain/path.c %D%/explain/path.h \
	%D%/explain/spans.c %D%/explain/spans.h \
	%D%/explain/summary.c %D%/explain/summary.h \
	%D%/explain/traffic.c %D%/explain/traffic.h \
	%D%/explain/what_if.c %D%/explain/what_if.h \
	%D%/facts/app_facts.c %D%/facts/app_facts.h \
	%D%/facts/bounds_facts.c %D%/facts/bounds_facts.h \
	%D%/facts/coverage.c %D%/facts/coverage.h \
	%D%/facts/dag_facts.c %D%/facts/dag_facts.h \
	%D%/facts/diagnosis.c %D%/facts/diagnosis.h \
	%D%/facts/energy_facts.c %D%/facts/energy_facts.h \
	%D%/facts/facts.c %D%/facts/facts.h \
	%D%/facts/platform_facts.c %D%/facts/platform_facts.h \
	%D%/facts/power_facts.c %D%/facts/power_facts.h \
	%D%/facts/prediction_facts.c %D%/facts/prediction_facts.h \
	%D%/histogram/histogram.c %D%/histogram/histogram.h \
	%D%/histogram/kernel_samples.c %D%/histogram/kernel_samples.h \
	%D%/html/html_columns.c %D%/html/html_columns.h \
	%D%/html/html_curves.c %D%/html/html_curves.h \
	%D%/html/html_record.c %D%/html/html_record.h \
	%D%/html/html_report.c %D%/html/html_report.h \
	%D%/html/html_tables.c %D%/html/html_tables.h \
	%D%/html/html_thin.c %D%/html/html_thin.h \
	%D%/options/completion.c %D%/options/completion.h \
	%D%/options/graph_values.c %D%/options/graph_values.h \
	%D%/options/manual.c %D%/options/manual.h \
	%D%/options/option.c %D%/options/option.h \
	%D%/options/strategies.c %D%/options/strategies.h \
	%D%/options/syntax.c %D%/options/syntax.h \
	%D%/options/tables.c %D%/options/tables.h \
	%D%/options/values.c %D%/options/values.h \
	%D%/output/csv.c %D%/output/csv.h \
	%D%/output/exact.c %D%/output/exact.h \
	%D%/output/json.c %D%/output/json.h \
	%D%/output/members.h \
	%D%/output/message.c %D%/output/message.h \
	%D%/output/output.c %D%/output/output.h \
	%D%/output/parallel.c %D%/output/parallel.h \
	%D%/output/progress_line.c %D%/output/progress_line.h \
	%D%/output/table.c %D%/output/table.h \
	%D%/picture/child.c %D%/picture/child.h \
	%D%/picture/gantt.c %D%/picture/gantt.h \
	%D%/picture/graphviz.c %D%/picture/graphviz.h \
	%D%/picture/kernel_kinds.c %D%/picture/kernel_kinds.h \
	%D%/picture/picture.c %D%/picture/picture.h \
	%D%/picture/plot.c %D%/picture/plot.h \
	%D%/picture/plot_commands.c %D%/picture/plot_commands.h \
	%D%/picture/plot_curves.h \
	%D%/picture/plot_layout.c %D%/picture/plot_layout.h \
	%D%/picture/plot_panels.c %D%/picture/plot_panels.h \
	%D%/picture/plot_script.c %D%/picture/plot_script.h \
	%D%/search/batch.c %D%/search/batch.h \
	%D%/search/checkpoint.c %D%/search/checkpoint.h \
	%D%/search/critical_decision.c %D%/search/critical_decision.h \
	%D%/search/debugger.c %D%/search/debugger.h \
	%D%/search/error_trace.c %D%/search/error_trace.h \
	%D%/search/exploration.h \
	%D%/search/exploration_report.c \
	%D%/search/exploration_run.c \
	%D%/search/failure.c %D%/search/failure.h \
	%D%/search/interleavings.c %D%/search/interleavings.h \
	%D%/search/junit.c %D%/search/junit.h \
	%D%/search/matrix.c %D%/search/matrix.h \
	%D%/search/replay.c %D%/search/replay.h \
	%D%/search/resume.c %D%/search/resume.h \
	%D%/search/shrink.c %D%/search/shrink.h \
	%D%/search/token_run.c %D%/search/token_run.h \
	%D%/settings/changed_platform.c %D%/settings/changed_platform.h \
	%D%/settings/command.c %D%/settings/command.h \
	%D%/settings/lists.c %D%/settings/lists.h \
	%D%/settings/options_many.c \
	%D%/settings/options_output.c \
	%D%/settings/options_run.c \
	%D%/settings/policies.c %D%/settings/policies.h \
	%D%/settings/protection.c %D%/settings/protection.h \
	%D%/settings/setting_values.c %D%/settings/setting_values.h \
	%D%/settings/settings.c %D%/settings/settings.h \
	%D%/settings/settings_tile.c \
	%D%/settings/variants.c %D%/settings/variants.h \
	%D%/simulation/determinism.c %D%/simulation/determinism.h \
	%D%/simulation/simulate.c %D%/simulation/simulate.h \
	%D%/sweep/columns.c %D%/sweep/columns.h \
	%D%/sweep/database.c %D%/sweep/database.h \
	%D%/sweep/dry_run.c %D%/sweep/dry_run.h \
	%D%/sweep/emit.c %D%/sweep/emit.h \
	%D%/sweep/identity.c %D%/sweep/identity.h \
	%D%/sweep/machines.c %D%/sweep/machines.h \
	%D%/sweep/merge.c %D%/sweep/merge.h \
	%D%/sweep/point_runner.c %D%/sweep/point_runner.h \
	%D%/sweep/reader.c %D%/sweep/reader.h \
	%D%/sweep/results.c %D%/sweep/results.h \
	%D%/sweep/store.c %D%/sweep/store.h \
	%D%/sweep/store_head.c %D%/sweep/store_head.h \
	%D%/sweep/sweep.c %D%/sweep/sweep.h \
	%D%/token/token.c %D%/token/token.h \
	%D%/token/token_codec.c %D%/token/token_codec.h \
	%D%/token/token_files.c \
	%D%/token/token_report.c %D%/token/token_report.h \
	%D%/token/token_settings.c \
	%D%/trace/protobuf.h \
	%D%/trace/step_log.c %D%/trace/step_log.h \
	%D%/trace/submitted.c %D%/trace/submitted.h \
	%D%/trace/timeline.c %D%/trace/timeline.h \
	%D%/trace/trace_counters.c %D%/trace/trace_counters.h \
	%D%/trace/trace_csv.c \
	%D%/trace/trace_file.c %D%/trace/trace_file.h \
	%D%/trace/trace_files.c %D%/trace/trace_files.h \
	%D%/trace/trace_format.c %D%/trace/trace_format.h \
	%D%/trace/trace_json.c \
	%D%/trace/trace_lanes.c %D%/trace/trace_lanes.h \
	%D%/trace/trace_paje.c \
	%D%/trace/trace_perfetto.c \
	%D%/trace/trace_power.c \
	%D%/trace/trace_rec.c \
	%D%/trace/trace_starvz.c \
	%D%/trace/trace_window.c %D%/trace/trace_window.h

# The files of `orrery sched new` and `orrery app new`, as strings.
skeletons = \
	%D%/cli/skeleton/simple.c \
	%D%/cli/skeleton/concurrent.c \
	%D%/cli/skeleton/starpu.c \
	%D%/cli/skeleton/policy-test.sh \
	%D%/cli/skeleton/app.c \
	%D%/cli/skeleton/app-test.sh \
	%D%/cli/skeleton/makefile.txt \
	%D%/cli/skeleton/races.txt
EXTRA_DIST += $(skeletons)
CLEANFILES += %D%/skeleton_texts.c %D%/html_texts.c %D%/starpu_texts.c
nodist_liborrery_apps_a_SOURCES = %D%/skeleton_texts.c %D%/html_texts.c \
	%D%/starpu_texts.c
%D%/skeleton_texts.c: $(skeletons) %D%/local.mk
	$(AM_V_GEN)$(MKDIR_P) %D% && { \
	  echo '#include "apps/cli/skeleton.h"'; \
	  for path in $(skeletons); do \
	    name=`basename $${path%.*} | tr - _`; \
	    echo "const char orr_skeleton_$$name[] ="; \
	    sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/' \
	      "$(srcdir)/$$path" || exit 1; \
	    echo ';'; \
	  done; \
	} >$@.tmp && mv $@.tmp $@

# The functions of StarPU's interface, for `orrery starpu check`.
%D%/starpu_texts.c: %D%/starpu/functions.tsv %D%/local.mk
	$(AM_V_GEN)$(MKDIR_P) %D% && { \
	  echo '#include "apps/cli/starpu_functions.h"'; \
	  echo 'const char orr_starpu_functions[] ='; \
	  sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/' "$(srcdir)/%D%/starpu/functions.tsv"; \
	  echo ';'; \
	} >$@.tmp && mv $@.tmp $@

# The page of --report, as strings; the scripts are one.
page_scripts = \
	%D%/html/page/data.js \
	%D%/html/page/reasons.js \
	%D%/html/page/rows.js \
	%D%/html/page/chart.js \
	%D%/html/page/details.js \
	%D%/html/page/report.js
page_others = %D%/html/page/report.html %D%/html/page/report.css
EXTRA_DIST += $(page_scripts) $(page_others)
%D%/html_texts.c: $(page_scripts) $(page_others) %D%/local.mk
	$(AM_V_GEN)$(MKDIR_P) %D% && { \
	  text() { \
	    echo "const char orr_html_$$1[] ="; \
	    shift; \
	    (cd "$(srcdir)" && cat "$$@") | \
	      sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/'; \
	    echo ';'; \
	  }; \
	  echo '#include "apps/html/html_report.h"'; \
	  text template %D%/html/page/report.html; \
	  text style %D%/html/page/report.css; \
	  text script $(page_scripts); \
	} >$@.tmp && mv $@.tmp $@

bin_PROGRAMS += orrery
orrery_SOURCES = %D%/cli/orrery.c
# Policies and applications in files of their own call what the installed headers
# declare, also functions that the program itself does not call.
orrery_LDFLAGS = $(AM_LDFLAGS) -Wl,--export-dynamic \
	-Wl,--whole-archive,liborrery_core.a,--no-whole-archive
orrery_LDADD = $(program_libs)
