/** Tests of the endpoints for tokens. */
@NullMarked
package dev.gatehouse.gateway.admin.token;

import org.jspecify.annotations.NullMarked;
