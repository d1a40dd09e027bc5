/**
 * The common part of identity provider, service provider and gateway: configuration, keys, stores, directory, audit, SAML messages.
 * Depends on no other module; knows no web framework.
 */
@NullMarked
package dev.gatehouse.common;

import org.jspecify.annotations.NullMarked;
