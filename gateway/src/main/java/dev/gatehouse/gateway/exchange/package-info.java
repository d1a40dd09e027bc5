/** The way of a request: address, route, authentication, decision, and then the app, the service provider or a refusal. */
@NullMarked
package dev.gatehouse.gateway.exchange;

import org.jspecify.annotations.NullMarked;
