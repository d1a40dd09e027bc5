/** Operations on tokens that make one-time passwords, and on what counts for the people who have them. */
@NullMarked
package dev.gatehouse.gateway.admin.token;

import org.jspecify.annotations.NullMarked;
