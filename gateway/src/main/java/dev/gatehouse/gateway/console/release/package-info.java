/** The console's page about attribute release: what a login would tell a partner about a person, and why. */
@NullMarked
package dev.gatehouse.gateway.console.release;

import org.jspecify.annotations.NullMarked;
