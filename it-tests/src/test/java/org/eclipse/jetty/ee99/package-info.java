/** What a container may look like after an upgrade. */
@NullMarked
package org.eclipse.jetty.ee99;

import org.jspecify.annotations.NullMarked;
