/**
 * The stores of {@code storage: shared} that are hot: sessions, values for one use, replay marks and due work on one Valkey primary
 * with replicas. Values are sealed and keys are hashed, so that a person who reads the server learns nothing. The only package that
 * uses io.lettuce.
 */
@NullMarked
package dev.gatehouse.common.valkey;

import org.jspecify.annotations.NullMarked;
