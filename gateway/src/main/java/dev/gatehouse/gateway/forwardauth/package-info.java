/** Forward authentication: answers other proxies whether a request may pass. */
@NullMarked
package dev.gatehouse.gateway.forwardauth;

import org.jspecify.annotations.NullMarked;
