/**
 * The relational contracts: Flyway migrations and the data source; H2 embedded.
 */
@NullMarked
package dev.gatehouse.common.db;

import org.jspecify.annotations.NullMarked;
