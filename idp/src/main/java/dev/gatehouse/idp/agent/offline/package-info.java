/** Passcodes that an agent decides about by itself while it reaches no server, for people who logged in some days before. */
@NullMarked
package dev.gatehouse.idp.agent.offline;

import org.jspecify.annotations.NullMarked;
