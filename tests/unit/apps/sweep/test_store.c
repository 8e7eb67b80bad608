/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The file of a campaign holds values of the types of its columns; files of
 * earlier versions, whose tables are STRICT, are read and continued. */
#include "apps/sweep/store.h"

#include "apps/sweep/reader.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/temp_folder.h"

struct fixture {
    char *folder;
    char *path;
    struct orr_identity identity;
    GArray *columns;
};

static void add_column(GArray *columns, const char *name,
                       enum orr_column_type type, enum orr_column_source source)
{
    struct orr_column column = {g_strdup(name), type, source};

    g_array_append_val(columns, column);
}

static int set_up(void **state)
{
    struct fixture *fixture = g_new0(struct fixture, 1);

    fixture->folder = temp_folder_new();
    fixture->path = temp_folder_path(fixture->folder, "t.db");
    fixture->identity = (struct orr_identity){
        .settings = g_strdup("[campaign]\napp=cholesky\n"),
        .version = g_strdup("0.1.0"),
        .platforms = g_strdup(""),
        .files = g_strdup(""),
        .shard = {0, 1},
    };
    orr_identity_finish(&fixture->identity);
    fixture->columns = orr_columns_empty();
    add_column(fixture->columns, "point", ORR_COLUMN_INTEGER, ORR_COLUMN_POINT);
    add_column(fixture->columns, "replica", ORR_COLUMN_INTEGER,
               ORR_COLUMN_REPLICA);
    add_column(fixture->columns, "state", ORR_COLUMN_TEXT, ORR_COLUMN_STATE);
    add_column(fixture->columns, "gpus", ORR_COLUMN_INTEGER, ORR_COLUMN_KEY);
    add_column(fixture->columns, "energy", ORR_COLUMN_REAL, ORR_COLUMN_FACT);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    g_remove(fixture->path); /* unless the test is skipped */
    assert_int_equal(g_rmdir(fixture->folder), 0);
    g_free(fixture->folder);
    g_free(fixture->path);
    orr_identity_clear(&fixture->identity);
    g_array_unref(fixture->columns);
    g_free(fixture);
    return 0;
}

static struct orr_store *open_store(const struct fixture *fixture)
{
    return orr_store_open(fixture->path, &fixture->identity, fixture->columns,
                          false, NULL);
}

/* Returns the status of SQLite for the statements @sql on the file. */
static int execute(const struct fixture *fixture, const char *sql)
{
    sqlite3 *db;
    int status;

    assert_int_equal(sqlite3_open(fixture->path, &db), SQLITE_OK);
    status = sqlite3_exec(db, sql, NULL, NULL, NULL);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    return status;
}

static void values_have_the_types_of_their_columns(void **state)
{
    static const char *const bad[] = {
        "INSERT INTO run VALUES ('x', 0, 'done', 1, 2.5)",
        "INSERT INTO run VALUES (0.5, 0, 'done', 1, 2.5)",
        "INSERT INTO run VALUES (1, 0, x'00', 1, 2.5)",
        "INSERT INTO run VALUES (1, 0, NULL, 1, 2.5)",
        "INSERT INTO run VALUES (1, 0, 'done', 'x', 2.5)",
        "INSERT INTO run VALUES (1, 0, 'done', 1, 'x')",
        "UPDATE campaign SET settings = x'00'",
        "UPDATE campaign SET digest = x'00'",
        "UPDATE campaign SET version = x'00'",
        "UPDATE campaign SET platforms = x'00'",
        "UPDATE campaign SET files = x'00'",
        "UPDATE campaign SET shard = 'x'",
        "UPDATE campaign SET shards = 1.5",
    };
    const struct fixture *fixture = *state;

    assert_true(orr_store_close(open_store(fixture), NULL));
    for (unsigned i = 0; i < G_N_ELEMENTS(bad); i++) {
        if (execute(fixture, bad[i]) != SQLITE_CONSTRAINT)
            fail_msg("is accepted: %s", bad[i]);
    }
    /* A whole number in a column of REAL is converted. */
    assert_int_equal(execute(fixture, "INSERT INTO run VALUES "
                                      "(1, 0, 'done', 1, 2), "
                                      "(1, 1, 'failed', NULL, NULL)"),
                     SQLITE_OK);
}

/* Makes the file as version 0.1.0 did before it stopped using STRICT tables. */
static void make_strict_file(const struct fixture *fixture)
{
    g_autofree char *sql = g_strdup_printf(
        "PRAGMA application_id = 1869771385;"
        "CREATE TABLE campaign (settings TEXT NOT NULL, digest TEXT NOT NULL, "
        "version TEXT NOT NULL, platforms TEXT NOT NULL, files TEXT NOT NULL, "
        "shard INTEGER NOT NULL, shards INTEGER NOT NULL) STRICT;"
        "CREATE TABLE run (\"point\" INTEGER NOT NULL, \"replica\" INTEGER NOT "
        "NULL, \"state\" TEXT NOT NULL, \"gpus\" INTEGER, \"energy\" REAL, "
        "PRIMARY KEY (point, replica)) STRICT, WITHOUT ROWID;"
        "INSERT INTO campaign VALUES ('%s', '%s', '0.1.0', '', '', 0, 1);"
        "INSERT INTO run VALUES (3, 0, 'done', 2, 1.5)",
        fixture->identity.settings, fixture->identity.digest);

    assert_int_equal(execute(fixture, sql), SQLITE_OK);
}

static void a_strict_file_is_read_and_continued(void **state)
{
    const struct fixture *fixture = *state;
    struct orr_reader *reader;
    struct orr_store *store;
    uint64_t rows = 0;

    if (sqlite3_libversion_number() < 3037000)
        skip(); /* this SQLite has no STRICT tables */
    make_strict_file(fixture);
    reader = orr_reader_open(fixture->path, NULL);
    assert_non_null(reader);
    assert_true(orr_reader_next(reader, NULL));
    assert_int_equal(orr_reader_integer(reader, 0), 3);
    assert_true(orr_reader_real(reader, 4) == 1.5);
    orr_reader_close(reader);

    store = open_store(fixture);
    assert_non_null(store);
    assert_true(orr_store_count(store, &rows));
    assert_int_equal(rows, 1);
    assert_true(orr_store_close(store, NULL));
}

ORR_TESTS(store)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(values_have_the_types_of_their_columns,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_strict_file_is_read_and_continued,
                                        set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
