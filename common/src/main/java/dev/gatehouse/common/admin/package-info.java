/**
 * AdminResource: resources of the modules for administrators; PersonLogins: their login as people (OpenID Connect Core 3.1). Both
 * without a web framework.
 */
@NullMarked
package dev.gatehouse.common.admin;

import org.jspecify.annotations.NullMarked;
