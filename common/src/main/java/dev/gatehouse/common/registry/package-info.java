/**
 * PartnerRegistry and ClientRegistry: the realm's entries together with those registered at run time, and the state
 * of what was fetched for them (metadata, and when the certificates in it end).
 */
@NullMarked
package dev.gatehouse.common.registry;

import org.jspecify.annotations.NullMarked;
