/**
 * What the identity provider offers to administrators.
 */
@NullMarked
package dev.gatehouse.idp.admin;

import org.jspecify.annotations.NullMarked;
