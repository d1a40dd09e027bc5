/** Tests of the recorded decisions, and of what a proposed configuration changes for people. */
@NullMarked
package dev.gatehouse.gateway.effect;

import org.jspecify.annotations.NullMarked;
