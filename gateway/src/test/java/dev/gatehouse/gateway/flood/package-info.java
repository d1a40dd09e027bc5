/**
 * Clients that try to exhaust a node, as processes and threads outside its JVM: connections that read nothing, streams
 * without a window, more connections than there are places. Uses sockets and {@code process} only.
 */
@org.jspecify.annotations.NullMarked
package dev.gatehouse.gateway.flood;
