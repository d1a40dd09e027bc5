/** Tests of the reading of JWTs and JWK Sets, and keys that other tests sign with. */
@NullMarked
package dev.gatehouse.common.jose;

import org.jspecify.annotations.NullMarked;
