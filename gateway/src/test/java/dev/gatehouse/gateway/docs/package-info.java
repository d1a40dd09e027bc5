/** The documents are true: links lead somewhere, words are spelled, configurations are valid, commands do what the pages say. */
@NullMarked
package dev.gatehouse.gateway.docs;

import org.jspecify.annotations.NullMarked;
