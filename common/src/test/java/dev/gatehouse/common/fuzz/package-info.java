/**
 * Runs Jazzer on parsers of input from outside. A target is a class named {@code …Fuzz} beside the parser's tests, with
 * {@code public static void fuzzerTestOneInput(byte[])}, which throws where a property is broken, and
 * {@code public static List<byte[]> seeds()}. Inputs that once broke one stand in {@code src/test/resources/fuzz/NAME}.
 */
@NullMarked
package dev.gatehouse.common.fuzz;

import org.jspecify.annotations.NullMarked;
