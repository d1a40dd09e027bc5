/** The configuration of a node: its roles, listeners, limits and storage ({@code gatehouse.yaml}), beside that of its realms. */
@NullMarked
package dev.gatehouse.common.node;

import org.jspecify.annotations.NullMarked;
