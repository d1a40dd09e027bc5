/**
 * Backup, restore and recovery of a node's embedded stores, and moves of an installation to shared ones and back: what is replaced, what
 * ends with it, and in which order, so that no node can start on the state that an interruption leaves. Used by the launcher.
 */
@NullMarked
package dev.gatehouse.gateway.recovery;

import org.jspecify.annotations.NullMarked;
