/** Our gateway beside the modules of Apache that protect pages by SAML and by OpenID Connect. */
@NullMarked
package dev.gatehouse.perf.modules;

import org.jspecify.annotations.NullMarked;
