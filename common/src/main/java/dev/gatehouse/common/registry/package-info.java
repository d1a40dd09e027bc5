/**
 * PartnerRegistry and ClientRegistry: the configured entries of a realm together with those registered at run time, and the state of
 * the documents fetched for them (metadata, and the expiry of its certificates).
 */
@NullMarked
package dev.gatehouse.common.registry;

import org.jspecify.annotations.NullMarked;
