/**
 * The relational contracts: data that change rarely and must not be lost. Holds the data source, its Flyway migrations ({@code
 * db/migration}), and the pairs of people and names for persistent federation ({@link
 * dev.gatehouse.common.directory.NamePairs}). H2 is embedded; the SQL also runs on PostgreSQL, as the tests show. Uses Spring's
 * JdbcClient.
 */
@NullMarked
package dev.gatehouse.common.db;

import org.jspecify.annotations.NullMarked;
