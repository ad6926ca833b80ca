/** What can go wrong with an image that comes with an instruction. */
export const IMAGE_ERRORS = {
  image_not_found: {
    status: 404,
    retryable: false,
    sentence: 'This image is not there whole. Add it to the instruction again.',
  },
  image_refused: {
    status: 422,
    retryable: false,
    sentence:
      'This is no PNG, JPEG, GIF or WebP image of at most 3.75 MB. Save it as one, or make it smaller, and add it again.',
  },
  images_full: {
    status: 409,
    retryable: false,
    sentence:
      'This session holds as many images as one may. Put further ones into its checkout as files and name them with @.',
  },
  images_waiting: {
    status: 409,
    retryable: false,
    sentence:
      'As many images wait here as may that no instruction took. Send those that are shown, or start a fresh one; what nobody sends goes after a week.',
  },
  images_too_large: {
    status: 422,
    retryable: false,
    sentence:
      'The images of one instruction may come to 10 MB. Send some of them with the next one, or make them smaller.',
  },
  images_unsupported: {
    status: 422,
    retryable: false,
    sentence:
      'The runner of this machine is older than images with instructions. Update Pilothouse there, or put the image into the checkout as a file and name it.',
  },
  image_unavailable: {
    status: 502,
    retryable: true,
    sentence:
      'The machine could not fetch an image of this instruction, so the engine got nothing. Send it again.',
  },
} as const;
