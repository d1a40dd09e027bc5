/**
 * Pages for people: Thymeleaf templates, message bundles (English, German), a brand per realm, security headers. Used
 * by idp and sp alike.
 */
@NullMarked
package dev.gatehouse.common.page;

import org.jspecify.annotations.NullMarked;
