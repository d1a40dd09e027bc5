package dev.gatehouse.common.proxy;

import java.net.InetAddress;
import java.util.Optional;

/**
 * One element of Forwarded: what one proxy states (RFC 7239, section 4). {@code by} and extensions are read and not kept.
 *
 * @param client the address after {@code for}; empty if it is missing, {@code unknown} or obfuscated (sections 6.2 and 6.3)
 * @param scheme the value of {@code proto}: http or https
 * @param authority the value of {@code host}, not checked
 */
public record ForwardedElement(Optional<InetAddress> client, Optional<String> scheme, Optional<String> authority) {}
