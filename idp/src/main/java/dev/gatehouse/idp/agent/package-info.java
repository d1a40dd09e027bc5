/**
 * The agent: a program on a host, or on the gateway of a domain, that takes passcodes from programs beside it and asks the servers of its
 * realm about them.
 */
@NullMarked
package dev.gatehouse.idp.agent;

import org.jspecify.annotations.NullMarked;
