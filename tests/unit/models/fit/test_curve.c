/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Curves through known points, and predictions on them. */
#include <math.h>
#include <string.h>

#include "models/base/error.h"
#include "models/fit/prediction.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/temp_file.h"

static void assert_near(double a, double b, double tolerance)
{
    assert_true(fabs(a - b) <= tolerance);
}

static bool read_text(struct orr_history *history, const char *text,
                      GError **error)
{
    const struct orr_history_request request = {.x = "x", .y = "y"};
    char *path = temp_file_new(text, strlen(text));
    bool read = orr_history_read(history, path, &request, error);

    temp_file_remove(path);
    return read;
}

static void read_history(struct orr_history *history, const char *text)
{
    assert_true(read_text(history, text, NULL));
}

static void the_runs_at_one_x_are_a_knot(void **state)
{
    struct orr_history history;

    (void)state;
    read_history(&history, "y,x\n4,2\n1,1\n,3\n6,2.0\n5,2e0\n");
    assert_int_equal(history.runs->len, 4);
    assert_int_equal(history.incomplete, 1);
    assert_int_equal(history.knots->len, 2);
    assert_true(orr_history_knot(&history, 0)->y == 1);
    assert_true(orr_history_find(&history, 2)->y == 5);
    assert_int_equal(orr_history_find(&history, 2)->runs, 3);
    assert_null(orr_history_find(&history, 3));
    orr_history_clear(&history);
}

static void a_bad_file_is_refused(void **state)
{
    static const char *const texts[] = {
        "",
        "x,z\n1,2\n",
        "x,y,x\n1,2,3\n",
        "x,y\n1\n",
        "x,y\n1,a\n",
        "x,y\n1,nan\n",
        "x,y\n1,2e999\n",
        "x,y\n1,\n",
        "x,y\n1,\"2\n",
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GError) error = NULL;
        struct orr_history history;

        assert_false(read_text(&history, texts[i], &error));
        assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_VALUE));
        orr_history_clear(&history);
    }
}

/* The means are 2 and 3, so the slope is ((-1)(-1) + 0 + 1 x 3) / 2 = 2, and
 * the residuals are 1, -2 and 1. */
static void a_line_has_the_least_squares(void **state)
{
    struct orr_history history;
    struct orr_curve line;

    (void)state;
    read_history(&history, "x,y\n1,2\n2,1\n3,6\n");
    orr_curve_fit(&line, ORR_CURVE_LINE, &history);
    assert_near(orr_curve_at(&line, 0), -1, 1e-12);
    assert_near(orr_curve_at(&line, 2), 3, 1e-12);
    assert_near(orr_curve_at(&line, 10), 19, 1e-12);
    assert_near(orr_curve_error(&line, &history), sqrt(6.0 / 3), 1e-12);
    orr_curve_clear(&line);
    orr_history_clear(&history);
}

/*
 * Through (0, 0), (1, 1) and (2, 0): the second derivative in the middle is -3,
 * so the slopes are 3/2, 0 and -3/2, and y(1/2) = 1/2 + 3/16.
 */
static void a_spline_is_natural(void **state)
{
    struct orr_history history;
    struct orr_curve spline;

    (void)state;
    read_history(&history, "x,y\n0,0\n1,1\n2,0\n");
    orr_curve_fit(&spline, ORR_CURVE_SPLINE, &history);
    assert_near(spline.slope[0], 1.5, 1e-12);
    assert_near(spline.slope[1], 0, 1e-12);
    assert_near(spline.slope[2], -1.5, 1e-12);
    assert_near(orr_curve_at(&spline, 0.5), 0.6875, 1e-12);
    assert_near(orr_curve_at(&spline, 3), -1.5, 1e-12);
    assert_false(orr_curve_swings(&spline, 0));
    orr_curve_clear(&spline);
    orr_history_clear(&history);
}

/* A step: the spline swings around it, the segments do not. */
static void segments_do_not_swing(void **state)
{
    struct orr_history history;
    struct orr_predictor predictor;
    struct orr_curve spline, segments;

    (void)state;
    read_history(&history, "x,y\n0,0\n1,0\n2,0\n3,1\n4,1\n5,1\n");
    orr_curve_fit(&spline, ORR_CURVE_SPLINE, &history);
    orr_curve_fit(&segments, ORR_CURVE_SEGMENTS, &history);
    assert_true(orr_curve_swings(&spline, 0.05));
    assert_false(orr_curve_swings(&spline, 0.5));
    assert_false(orr_curve_swings(&segments, 0));
    for (int i = 0; i <= 5 * 64; i++) {
        assert_true(orr_curve_at(&segments, i / 64.0) >= 0);
        assert_true(orr_curve_at(&segments, i / 64.0) <= 1);
    }
    orr_curve_clear(&spline);
    orr_curve_clear(&segments);

    orr_predictor_init(&predictor, &history, 0.05);
    assert_false(predictor.fits[ORR_CURVE_LINE]);
    assert_false(predictor.fits[ORR_CURVE_SPLINE]);
    assert_int_equal(predictor.kind, ORR_CURVE_SEGMENTS);
    orr_predictor_clear(&predictor);
    orr_history_clear(&history);
}

/* Every curve goes through two knots as the line does. */
static void two_knots_make_a_line(void **state)
{
    struct orr_history history;

    (void)state;
    read_history(&history, "x,y\n10,5\n20,3\n");
    for (enum orr_curve_kind kind = 0; kind < ORR_CURVE_KINDS; kind++) {
        struct orr_curve curve;

        orr_curve_fit(&curve, kind, &history);
        for (int x = 0; x < 40; x++)
            assert_near(orr_curve_at(&curve, x), 7 - x / 5.0, 1e-12);
        orr_curve_clear(&curve);
    }
    orr_history_clear(&history);
}

/* Energy of runs on 130, 135 and 220 nodes (Shoukourian et al. 2014): 7.45 kWh
 * on 320, by a line. */
static void energy_of_more_nodes_is_predicted(void **state)
{
    struct orr_history history;
    struct orr_predictor predictor;
    struct orr_prediction prediction;

    (void)state;
    read_history(&history, "x,y\n130,7.6\n135,7.9\n220,7.6\n");
    orr_predictor_init(&predictor, &history, -1);
    assert_int_equal(predictor.kind, ORR_CURVE_LINE);
    assert_true(
        orr_predict(&predictor, ORR_LAW_ENERGY, 320, &prediction, NULL));
    assert_near(prediction.y, 7.45, 0.005);
    assert_true(prediction.beyond);
    assert_near(prediction.low, 7.6, 1e-12);
    assert_near(prediction.high, 7.6 * 320 / 220, 1e-12);
    assert_true(orr_predict(&predictor, ORR_LAW_TIME, 65, &prediction, NULL));
    assert_near(prediction.low, 7.6, 1e-12);
    assert_near(prediction.high, 15.2, 1e-12);
    assert_true(
        orr_predict(&predictor, ORR_LAW_ENERGY, 135, &prediction, NULL));
    assert_true(prediction.y == 7.9 && prediction.runs == 1);
    assert_true(isinf(prediction.low) && !prediction.beyond);
    orr_predictor_clear(&predictor);
    orr_history_clear(&history);
}

static void one_knot_is_not_enough(void **state)
{
    g_autoptr(GError) error = NULL;
    struct orr_history history;
    struct orr_predictor predictor;
    struct orr_prediction prediction;

    (void)state;
    read_history(&history, "x,y\n2,5\n2,7\n");
    orr_predictor_init(&predictor, &history, -1);
    assert_true(orr_predict(&predictor, ORR_LAW_NONE, 2, &prediction, NULL));
    assert_true(prediction.y == 6 && prediction.runs == 2);
    assert_false(orr_predict(&predictor, ORR_LAW_NONE, 3, &prediction, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_VALUE));
    orr_predictor_clear(&predictor);
    orr_history_clear(&history);
}

static void the_unit_tells_the_law(void **state)
{
    (void)state;
    assert_int_equal(orr_prediction_law("gpus", "makespan_s"), ORR_LAW_TIME);
    assert_int_equal(orr_prediction_law("nodes", "energy_kWh"), ORR_LAW_ENERGY);
    assert_int_equal(orr_prediction_law("cores", "peak_W"), ORR_LAW_POWER);
    assert_int_equal(orr_prediction_law("tiles", "makespan_s"), ORR_LAW_NONE);
    assert_int_equal(orr_prediction_law("gpus", "evictions"), ORR_LAW_NONE);
}

ORR_TESTS(curve)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_runs_at_one_x_are_a_knot),
        cmocka_unit_test(a_bad_file_is_refused),
        cmocka_unit_test(a_line_has_the_least_squares),
        cmocka_unit_test(a_spline_is_natural),
        cmocka_unit_test(segments_do_not_swing),
        cmocka_unit_test(two_knots_make_a_line),
        cmocka_unit_test(energy_of_more_nodes_is_predicted),
        cmocka_unit_test(one_knot_is_not_enough),
        cmocka_unit_test(the_unit_tells_the_law),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
