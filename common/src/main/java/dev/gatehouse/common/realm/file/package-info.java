/**
 * The configuration in files: reads {@code gatehouse.yaml} and {@code realms/*.yaml} completely into the values of {@code
 * common.realm}, with every problem at its line; determines revisions; takes over changes of the files. YAML 1.1 without tags,
 * anchors and merge keys. May use SnakeYAML's node tree (nothing is constructed from tags) and UnboundID's parsers for filters
 * and DNs.
 */
@NullMarked
package dev.gatehouse.common.realm.file;

import org.jspecify.annotations.NullMarked;
