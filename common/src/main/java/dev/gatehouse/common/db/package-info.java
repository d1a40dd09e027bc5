/**
 * The relational contracts: what is rare and must be kept. The data source, its Flyway migrations ({@code
 * db/migration}), and the pairs of people and names that persistent federation is made of ({@link
 * dev.gatehouse.common.federation.NamePairs}). H2 embedded; the SQL is also PostgreSQL's. Uses Spring's JdbcClient.
 */
@NullMarked
package dev.gatehouse.common.db;

import org.jspecify.annotations.NullMarked;
