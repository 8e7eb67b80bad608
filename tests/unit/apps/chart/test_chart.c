/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Charts of tables of runs: groups, means and bands, computed by hand. */
#include "apps/chart/chart.h"

#include <string.h>

#include "models/base/error.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/temp_folder.h"

static const char runs[] = "point,replica,state,sched,size,gpus,makespan_s,"
                           "gflops,bound_area_s\n"
                           "0,0,done,ws,9600,1,2,10,1\n"
                           "0,1,done,ws,9600,1,4,20,1\n"
                           "0,2,done,ws,9600,1,1,30,1\n"
                           "1,0,done,dm,9600,1,2,40,1\n"
                           "2,0,failed,dm,19200,1,,,\n"
                           "3,0,done,ws,4800,1,2,50,1\n"
                           "4,0,done,dm,4800,1,2,60,1\n"
                           "5,0,done,dm,4800,2,1,,1\n";

/* Reads @text and returns the data of its picture as CSV. Free with g_free().
 * NULL with @error. */
static char *draw(void *folder, const char *text,
                  const struct orr_chart_request *request,
                  struct orr_chart *chart, GError **error)
{
    g_autofree char *path = temp_folder_path(folder, "runs.csv");
    g_autofree char *csv = temp_folder_path(folder, "chart.csv");
    g_autofree char *script = temp_folder_path(folder, "chart.gp");
    struct orr_plot_options options = {.data = folder, .width_cm = 8.5};
    bool good;

    assert_true(g_file_set_contents(path, text, -1, NULL));
    good = orr_chart_read(chart, path, request, error) &&
           orr_chart_draw(chart, &options, error);
    assert_int_equal(g_remove(path), 0);
    if (!good)
        return NULL;
    assert_int_equal(g_remove(script), 0);
    return temp_file_take(csv, NULL);
}

/* Draws @text, and compares the data of the picture. */
static void draws(void *folder, const char *text,
                  const struct orr_chart_request *request, const char *data)
{
    struct orr_chart chart;
    g_autoptr(GError) error = NULL;
    g_autofree char *csv = draw(folder, text, request, &chart, &error);

    assert_null(error);
    assert_string_equal(csv, data);
    orr_chart_clear(&chart);
}

/* The mean of 10, 20, 30 is 20; quantiles are 10 + 0.1 * 10 and 30 - 0.1 * 10
 * (type 7). Sizes are in order of size, policies as they come. */
static void a_point_is_the_mean_of_replicas_in_a_band(void **state)
{
    static const char *const only[] = {"gpus=1", NULL};

    draws(*state, runs,
          &(struct orr_chart_request){
              .x = "size", .y = "gflops", .by = "sched", .only = only},
          "curve,size,gflops,low,high,from,to,name\n"
          "0,4800,50,50,50,NaN,NaN,\"ws\"\n"
          "0,9600,20,11,29,NaN,NaN,\"ws\"\n"
          "1,4800,60,60,60,NaN,NaN,\"dm\"\n"
          "1,9600,40,40,40,NaN,NaN,\"dm\"\n");
}

/* A speed is bounded by itself times the makespan over its bound: for ws at
 * 9600, the mean of 10 * 2, 20 * 4, 30 * 1 and of 40 * 2 by dm: 52.5. */
static void a_bound_in_seconds_bounds_the_speed(void **state)
{
    static const char *const only[] = {"size=9600", NULL};
    static const char *const bounds[] = {"bound_area_s", NULL};

    draws(*state, runs,
          &(struct orr_chart_request){.x = "size",
                                      .y = "gflops",
                                      .by = "sched",
                                      .bounds = bounds,
                                      .only = only},
          "curve,size,gflops,low,high,from,to,name\n"
          "0,9600,20,11,29,NaN,NaN,\"ws\"\n"
          "1,9600,40,40,40,NaN,NaN,\"dm\"\n"
          "2,9600,52.5,NaN,NaN,NaN,NaN,\"area bound\"\n");
}

/* Row 0 is at the top, with the largest size. */
static void a_map_has_the_mean_in_each_cell(void **state)
{
    static const char *const only[] = {"sched=ws", NULL};

    draws(*state, runs,
          &(struct orr_chart_request){.x = "gpus",
                                      .y = "makespan_s",
                                      .map = "size",
                                      .facet = "sched",
                                      .only = only},
          "curve,gpus,row,low,high,from,to,value,name,panel\n"
          "0,0,1,NaN,NaN,NaN,NaN,2,\"4800\",\"ws\"\n"
          "0,0,0,NaN,NaN,NaN,NaN,2.33333333333,\"9600\",\"ws\"\n");
}

/* dm leads by 60/50 and 40/20; with one policy alone there is no lead. */
static void the_best_is_the_largest_speed(void **state)
{
    static const char more[] = "sched,size,gpus,gflops\n"
                               "ws,4800,1,50\ndm,4800,1,60\n"
                               "ws,9600,1,20\ndm,9600,1,40\n"
                               "ws,9600,2,20\n";

    draws(*state, more,
          &(struct orr_chart_request){
              .x = "size", .y = "gflops", .map = "gpus", .best = "sched"},
          "curve,size,row,low,high,from,to,value,name\n"
          "0,1,0,NaN,NaN,NaN,NaN,NaN,\"ws\"\n"
          "1,0,1,NaN,NaN,NaN,NaN,20,\"dm\"\n"
          "1,1,1,NaN,NaN,NaN,NaN,100,\"dm\"\n");
}

static void the_best_is_the_least_time(void **state)
{
    static const char some[] = "sched,size,gpus,makespan_s\n"
                               "ws,4800,1,5\ndm,4800,1,4\nlws,4800,1,8\n";

    draws(*state, some,
          &(struct orr_chart_request){
              .x = "size", .y = "makespan_s", .map = "gpus", .best = "sched"},
          "curve,size,row,low,high,from,to,value,name\n"
          "0,0,0,NaN,NaN,NaN,NaN,25,\"dm\"\n");
}

/* Texts with one unit are in order of their numbers, at places 0, 1, ... */
static void factors_are_in_order(void **state)
{
    draws(*state, "pcie,makespan_s\n4x,1\n0.25x,3\n1x,2\n",
          &(struct orr_chart_request){.x = "pcie", .y = "makespan_s"},
          "curve,pcie,makespan_s,low,high,from,to,name\n"
          "0,0,3,NaN,NaN,NaN,NaN,\"\"\n"
          "0,1,2,NaN,NaN,NaN,NaN,\"\"\n"
          "0,2,1,NaN,NaN,NaN,NaN,\"\"\n");
}

/* Runs that failed, and those without a value, are counted. */
static void what_is_left_out_is_counted(void **state)
{
    struct orr_chart chart;
    g_autofree char *csv =
        draw(*state, runs,
             &(struct orr_chart_request){
                 .x = "size", .y = "gflops", .by = "sched", .facet = "gpus"},
             &chart, NULL);

    assert_non_null(csv);
    assert_int_equal(chart.rows, 8);
    assert_int_equal(chart.unfinished, 1);
    assert_int_equal(chart.empty, 1);
    assert_int_equal(chart.points[0], -1);
    assert_null(chart.mixed);
    orr_chart_clear(&chart);
}

/* Points 0 and 1, of ws and dm, would be one. */
static void a_setting_that_is_not_shown_is_named(void **state)
{
    struct orr_chart chart;
    g_autofree char *csv =
        draw(*state, runs,
             &(struct orr_chart_request){.x = "size", .y = "makespan_s"},
             &chart, NULL);

    assert_non_null(csv);
    assert_int_equal(chart.points[0], 0);
    assert_int_equal(chart.points[1], 1);
    assert_string_equal(chart.mixed, "sched");
    orr_chart_clear(&chart);
}

/* Drawing fails, and the message has @part. */
static void fails(void *folder, const char *text,
                  const struct orr_chart_request *request, const char *part)
{
    struct orr_chart chart;
    g_autoptr(GError) error = NULL;

    assert_null(draw(folder, text, request, &chart, &error));
    assert_non_null(strstr(error->message, part));
    orr_chart_clear(&chart);
}

static void too_many_values_are_refused(void **state)
{
    g_autoptr(GString) curves = g_string_new("a,b,y\n");
    g_autoptr(GString) points = g_string_new("a,b,y\n");

    for (unsigned i = 0; i < 100; i++)
        g_string_append_printf(curves, "1,n%u,1\n", i);
    for (unsigned i = 0; i < 20001; i++)
        g_string_append_printf(points, "%u,1,1\n", i);
    fails(*state, curves->str,
          &(struct orr_chart_request){.x = "a", .y = "y", .by = "b"},
          "100 values of b are more than the 48");
    fails(*state, points->str, &(struct orr_chart_request){.x = "a", .y = "y"},
          "more than 20000 values");
}

ORR_TESTS(chart)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_is_the_mean_of_replicas_in_a_band),
        cmocka_unit_test(a_bound_in_seconds_bounds_the_speed),
        cmocka_unit_test(a_map_has_the_mean_in_each_cell),
        cmocka_unit_test(the_best_is_the_largest_speed),
        cmocka_unit_test(the_best_is_the_least_time),
        cmocka_unit_test(factors_are_in_order),
        cmocka_unit_test(what_is_left_out_is_counted),
        cmocka_unit_test(a_setting_that_is_not_shown_is_named),
        cmocka_unit_test(too_many_values_are_refused),
    };

    return cmocka_run_group_tests_name("chart", tests, temp_folder_setup,
                                       temp_folder_teardown);
}
