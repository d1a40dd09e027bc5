/**
 * Pages for people: Thymeleaf templates ({@code pages/NAME.html}), message bundles ({@code messages/MODULE.properties},
 * English, and {@code _de}, German), a brand per realm, security headers (Content Security Policy Level 3, Referrer
 * Policy, Fetch). Used by idp and sp alike; the only package that uses Thymeleaf.
 *
 * <p>Templates see plain data only: texts, numbers, booleans, lists, and maps (records arrive as maps, an Instant as
 * {@code iso} and {@code text}), escaped on output. A template begins
 *
 * <pre>{@code
 * <html th:replace="~{layout :: page(#{login.title}, ~{::main})}">
 * <body><main class="card" id="main"> … </main></body></html>
 * }</pre>
 *
 * and uses the classes that {@code pages/gatehouse.css} explains. Each module runs {@code PageTemplatesContract} (test
 * sources) on its templates and texts.
 */
@NullMarked
package dev.gatehouse.common.page;

import org.jspecify.annotations.NullMarked;
