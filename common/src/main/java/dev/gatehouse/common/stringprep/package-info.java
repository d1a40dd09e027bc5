/** The one canonical form of values that identify a person: string preparation of LDAP (RFC 4518). */
@NullMarked
package dev.gatehouse.common.stringprep;

import org.jspecify.annotations.NullMarked;
