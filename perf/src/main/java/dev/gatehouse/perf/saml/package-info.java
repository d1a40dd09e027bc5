/**
 * FIGURES S1: the sixteen cases of SAML federation, and the comparison of our figures with the eight findings of the
 * report.
 */
@NullMarked
package dev.gatehouse.perf.saml;

import org.jspecify.annotations.NullMarked;
