/**
 * The servers of a realm as an agent sees them: which of them answers soonest, and what they say about passcodes. A passcode goes to one
 * server only, unless it is certain that the server did not take it.
 */
@NullMarked
package dev.gatehouse.idp.agent.server;

import org.jspecify.annotations.NullMarked;
