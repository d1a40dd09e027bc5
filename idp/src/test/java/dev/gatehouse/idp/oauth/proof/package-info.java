/** Tests of proofs that clients send. */
@NullMarked
package dev.gatehouse.idp.oauth.proof;

import org.jspecify.annotations.NullMarked;
