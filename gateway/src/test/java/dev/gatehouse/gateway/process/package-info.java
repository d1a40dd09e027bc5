/**
 * What end-to-end tests start as processes of their own: nodes of the built application and servers of others, on free
 * ports, with their output in a file, ended by their own process id.
 */
@NullMarked
package dev.gatehouse.gateway.process;

import org.jspecify.annotations.NullMarked;
