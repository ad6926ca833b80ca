import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach } from 'vitest';

/*
 * A page without layout has no heights, and a virtual list without heights draws nothing: here
 * everything is one screen high, so that a test sees the rows near it.
 */
const SCREEN = { offsetHeight: 800, offsetWidth: 1_200, clientHeight: 800, clientWidth: 1_200 };
for (const [name, value] of Object.entries(SCREEN)) {
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => value });
}

// A loaded machine takes longer to draw a page than the second that is usual.
configure({ asyncUtilTimeout: 6_000, getElementError: (message) => new Error(message ?? '') });

beforeEach(() => localStorage.clear());
afterEach(cleanup);
