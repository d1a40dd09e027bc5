/** The identity provider's resources for administrators. */
@NullMarked
package dev.gatehouse.idp.admin;

import org.jspecify.annotations.NullMarked;
