/**
 * {@code ./gatehouse demo --nodes N}: PostgreSQL, Valkey and HAProxy, started as processes of their own, and nodes that share the first two
 * behind the third. All of them end with the process that started them, however it ends.
 */
@NullMarked
package dev.gatehouse.gateway.demo.nodes;

import org.jspecify.annotations.NullMarked;
