/**
 * The relational contracts: what is rare and must be kept. The data source, its Flyway migrations ({@code
 * db/migration}), and {@link dev.gatehouse.common.db.PersistentNameIds} (SAML Core 8.3.7). H2 embedded; the SQL is also
 * PostgreSQL's. Uses Spring's JdbcClient.
 */
@NullMarked
package dev.gatehouse.common.db;

import org.jspecify.annotations.NullMarked;
