/**
 * The parts of every node, whatever its roles: its stored state with audit log, database and stores, opened and checked before all
 * else, and the beans that modules share, made by one configuration a theme.
 */
@NullMarked
package dev.gatehouse.gateway.node;

import org.jspecify.annotations.NullMarked;
